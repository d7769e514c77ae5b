-- Textures: what sb.texture accepts, and what a body does with it.
-- seconds: 1
local sb = require "sandbell"
local check = require "modules.check"
local raises, near = check.raises, check.near

local four = sb.modes { { 300, 1 }, { 500, 1 }, { 700, 1 }, { 1100, 1 } }

-- left.png is white on the left and black on the right.
local left = assert(sb.texture "textures/left.png")
check.equal(tostring(left), "texture (2 x 1, 1 images)")
local listed = assert(sb.texture { "textures/left.png", "textures/left.png" })
check.equal(tostring(listed), "texture (2 x 1, 2 images)")
local all = assert(sb.texture { path = "textures/left.png", modes = { { 1, 4 } }, wrap = "clamp" })
local last = assert(sb.texture { files = { "textures/left.png" }, modes = { 4 }, encoding = "signed" })
local counted = assert(sb.texture "textures/ramp_%d.png") -- from 0
check.equal(tostring(counted), "texture (4 x 1, 3 images)")
local zeros = assert(sb.texture "textures/ramp_%02d.png") -- no more than 00 and 01
check.equal(tostring(zeros), "texture (4 x 1, 2 images)")
local packed = assert(sb.texture { path = "textures/packed.png", channels = "rgba" })
check.equal(tostring(packed), "texture (2 x 2, 4 images)")

-- What it is made from counts.
raises("sb.texture needs either path or files", function() sb.texture {} end)
raises("sb.texture needs either path or files", function() sb.texture { path = "a.png", files = { "a.png" } } end)
raises("sb.texture: path may hold one %d or %03d, got 'a_%s.png'", function() sb.texture "a_%s.png" end)
raises("sb.texture: path may hold one %d or %03d, got 'a_%d_%d.png'", function() sb.texture "a_%d_%d.png" end)
raises("sb.texture: files must be a list of 1 to 4096 names, got another table", function() sb.texture { files = {} } end)
raises("sb.texture: unknown field 'wrpa'; did you mean 'wrap'? (known: path, files, channels, modes, encoding, wrap)",
  function() sb.texture { path = "a.png", wrpa = "clamp" } end)
raises("sb.texture: wrap must be one of 'clamp', 'repeat', got 'mirror'",
  function() sb.texture { path = "a.png", wrap = "mirror" } end)
raises("sb.texture: a mode in modes must be a whole number, got 1.5",
  function() sb.texture { path = "textures/left.png", modes = { 1.5 } } end)
raises("sb.texture: a group in modes must be { first, last }",
  function() sb.texture { path = "textures/left.png", modes = { { 1, 2, 3 } } } end)
raises("sb.texture: image 1 is for the modes 3 to 2; modes are counted from 1 to 4096",
  function() sb.texture { path = "textures/left.png", modes = { { 3, 2 } } } end)
raises("sb.texture: `modes` has 2 entries; 1 are needed",
  function() sb.texture { path = "textures/left.png", modes = { 1, 2 } } end)
raises("sb.texture: mode 2 has two images",
  function() sb.texture { files = { "textures/left.png", "textures/left.png" }, modes = { 2, { 1, 3 } } } end)
raises("sb.body: weights must be a texture, as sb.texture gives, got 'textures/left.png'",
  function() sb.body("x", { shape = four, weights = "textures/left.png" }) end)

-- A missing file is returned as an error, and raised by the next body.
local nothing, message, code = sb.texture "textures/nowhere_%d.png"
check.equal(nothing, nil)
check.equal(message, "sb.texture: textures/nowhere_1.png: no such file in the scene's folder or the library")
check.equal(code, "NOT_FOUND")
raises("sb.body: there is no texture: textures/nowhere_1.png: no such file in the scene's folder or the library " ..
  "(weights = false leaves it out)", function() sb.body("x", { shape = four }) end)
sb.body("knowing", { shape = four, weights = false })

local plain = sb.body("plain", { shape = four })
local half = sb.body("half", { shape = four, weights = all })
local upper = sb.body("upper", { shape = four, weights = last })

function scene.start()
  raises("sb.texture: textures are read while the scene loads; put this at the top of the script",
    function() sb.texture "textures/left.png" end)
  -- A later body may have one that was read before.
  sb.body("later", { shape = four, weights = packed }):strike { impulse = 0.01 }

  -- The modes that the texture leaves are those that yield to a strike: a ball
  -- loses speed to them, and loses none on the black side.
  local strike = { speed = 1, mass = 0.1, stiffness = 1e7, contact = "pulse" }
  local function struck(body, u)
    strike.at = { u, 0.5 }
    return body:strike(strike).impulse
  end
  near(struck(half, 0), struck(plain, 0), 1e-9, "white is the mode as it is")
  assert(struck(half, 1) ~= struck(half, 0), "black does not answer")
  near(struck(plain, 1), struck(plain, 0), 1e-12, "given modes answer alike")
  assert(struck(upper, 1) ~= struck(upper, 0.5))
  print "done"
end
-- SPDX-License-Identifier: MIT
