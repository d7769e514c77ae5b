-- Every function, every argument, every field: thirty hostile values each. The
-- call succeeds, or raises an error that begins with the script's line and
-- names the function. No crash, no hang, no NaN.
-- seconds: 0.3
local sb = require "sandbell"

local nan, inf = 0 / 0, 1 / 0
local tries, refusals = 0, 0

local shape = sb.bar { length = 0.3, width = 0.03, thickness = 0.01 }
local body = sb.body("body", { shape = shape, material = "steel" })
local calm = sb.body("calm", { shape = shape, material = "steel" }) -- none of the values
local dead = sb.body("dead", { shape = sb.modes { { 440, 1 } } })
local smooth = sb.surface("smooth", { kind = "grid" })
local ball = sb.body("ball", { shape = sb.rigid { radius = 0.01 }, material = "steel" })
local rolling = sb.body("rolling", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free" })
local param = sb.param("param", { min = 0, max = 1 })
local timer = sb.after(1e6, function() end)
local material = sb.material "glass"
local touch -- once the scene runs

local function nothing() end

local function cyclic()
  local t = {}
  t[1], t.t, t.u, t.position = t, t, t, t
  return t
end

local function haunted()
  return setmetatable({}, { __index = error, __newindex = error, __len = error, __pairs = error, __call = error,
    __tostring = error, __name = 12, __eq = error, __lt = error, __concat = error })
end

local NIL = {} -- stands for nil in the list

local function values()
  return {
    NIL, true, false, 0, 1, -1, 0.5, 1e-320, 1e308, -1e308, nan, inf, -inf, math.maxinteger, math.mininteger,
    "", "1", "0x10", "nan", "a\0b", ("long"):rep(1000), "%s%n%d", {}, { 1, 2, 3 }, { nan, inf, -1 }, { 1, nil, 3 },
    { u = nan }, { ["\0"] = 1 }, cyclic(), haunted(), nothing, coroutine.create(nothing), sb, body, dead, shape,
    material, param, timer,
  }
end

local fresh = 0
local function name()
  fresh = fresh + 1
  return "fuzz" .. fresh
end

-- A good call of each function: arguments, and the fields of its table.
local calls = {
  ["sb.after"] = { sb.after, function() return { 1e6, nothing } end },
  ["sb.bar"] = { sb.bar, function() return { { length = 0.3, width = 0.03, thickness = 0.01 } } end,
    "length width thickness support theory method elements" },
  ["sb.body"] = { sb.body, function() return { name(), { shape = shape, material = material } } end,
    "shape material position gain surface weights role diffuse nonlinear motion rotation velocity spin restitution " ..
    "friction rolling mass collider" },
  ["sb.body: collider"] = { function(collider) return sb.body(name(), { shape = shape, material = material, collider = collider }) end,
    function() return { { kind = "box", width = 1, height = 1, depth = 1 } } end,
    "kind radius wire_radius width height depth length smooth" },
  ["sb.body: rotation"] = { function(rotation) return sb.body(name(), { shape = shape, material = material, rotation = rotation }) end,
    function() return { { 0, 1, 0, 1 } } end, "1 2 3 4 5 x" },
  ["sb.body: diffuse"] = { function(diffuse) return sb.body(name(), { shape = shape, material = material, diffuse = diffuse }) end,
    function() return { { crossover = 800 } } end, "crossover level t60" },
  ["sb.body: nonlinear"] = { function(nonlinear) return sb.body(name(), { shape = shape, material = material, nonlinear = nonlinear }) end,
    function() return { { distortion = 1 } } end, "amplitude stiffness at distortion knee" },
  ["sb.disk"] = { sb.disk, function() return { { radius = 0.1, thickness = 0.003 } } end, "radius thickness support method elements" },
  ["sb.every"] = { sb.every, function() return { 1e6, nothing } end },
  ["sb.action"] = { sb.action, function() return { "act", nothing } end },
  ["sb.question"] = { sb.question, function() return { "asked", nothing } end },
  ["sb.press"] = { sb.press, function() return { "act" } end },
  ["sb.ask"] = { sb.ask, function() return { "asked", 1 } end },
  ["sb.strikes"] = { sb.strikes, function() return {} end },
  ["sb.find"] = { sb.find, function() return { "body" } end },
  ["sb.go"] = { sb.go, function() return { nothing } end },
  -- More than sixteen are refused, as a wrong field is.
  ["sb.force"] = { function(def) return pcall(sb.force, def) end, function() return { { pull = 1 } } end },
  ["sb.joint"] = { sb.joint, function() return { name(), { a = rolling } } end,
    "kind a b at axis low high friction" },
  ["sb.raycast"] = { sb.raycast, function() return { { 0, 0, 0 }, { 0, 1, 0 } } end, "1 2 3 4 x" },
  ["sb.world"] = { sb.world, function() return { {} } end, "gravity rate wind air impact occlusion" },
  ["sb.air"] = { sb.air, function() return { {} } end, "temperature humidity pressure absorption" },
  ["sb.listener"] = { sb.listener, function() return { {} } end, "position facing gain velocity ears spacing" },
  ["sb.material"] = { sb.material, function() return { "mine", { base = "steel" } } end,
    "base density youngs_modulus poisson_ratio alpha beta hardness roughness restitution friction" },
  ["sb.room"] = { sb.room, function() return { {} } end, "size position walls response level decay" },
  ["sb.room_t60"] = { function() sb.room_t60() end, function() return {} end },
  ["sb.wall_materials"] = { function() sb.wall_materials() end, function() return {} end },
  ["sb.reverb"] = { sb.reverb, function() return { {} } end, "t60 level predelay" },
  ["sb.quality"] = { sb.quality, function() return { {} } end, "budget slope tau modes" },
  ["sb.materials"] = { sb.materials, function() return {} end },
  ["sb.membrane"] = { sb.membrane, function() return { { radius = 0.2, tension = 100, surface_density = 0.2 } } end,
    "radius width depth tension surface_density" },
  -- No such file: that is said last, after all that is wrong with the fields.
  ["sb.mesh"] = { sb.mesh, function() return { "none.obj", { thickness = 0.001 } } end,
    "scale method thickness clamp hold modes max_hz elements merge" },
  ["sb.model"] = { sb.model, function() return { "none.modal", {} } end, "modes max_hz merge" },
  ["sb.modes"] = { sb.modes, function() return { { { 440, 1, 1 } } } end, "1 2 freq" },
  ["sb.modes "] = { function(mode) return sb.modes { mode } end, function() return { { freq = 440, t60 = 1, gain = 1 } } end,
    "freq t60 gain 1" },
  ["sb.now"] = { sb.now, function() return {} end },
  ["sb.param"] = { sb.param, function() return { "param", { min = 0, max = 1 } } end, "min max default curve" },
  ["sb.plate"] = { sb.plate, function() return { { width = 0.3, depth = 0.2, thickness = 0.001 } } end,
    "width depth thickness support method elements" },
  ["sb.sphere"] = { sb.sphere, function() return { { radius = 0.01 } } end, "radius" },
  ["sb.box"] = { sb.box, function() return { { width = 0.02, height = 0.01, depth = 0.03 } } end,
    "width height depth" },
  ["sb.cylinder"] = { sb.cylinder, function() return { { radius = 0.01, length = 0.02 } } end, "radius length" },
  ["sb.hollow"] = { sb.hollow, function() return { { width = 0.1, height = 0.1, depth = 0.1, thickness = 0.001 } } end,
    "width height depth thickness elements" },
  ["sb.tube"] = { sb.tube, function() return { { length = 0.1, radius = 0.02, thickness = 0.001 } } end,
    "length radius thickness support method elements" },
  ["sb.cone"] = { sb.cone, function() return { { radius = 0.04, height = 0.1, thickness = 0.001 } } end,
    "radius top_radius height thickness support method elements" },
  ["sb.revolve"] = { sb.revolve,
    function() return { { profile = { { 0, 0 }, { 0.03, 0 }, { 0.05, 0.03, 0.002 } }, thickness = 0.001 } } end,
    "profile thickness join support method elements" },
  ["sb.floor"] = { sb.floor, function() return { {} } end },
  ["sb.rigid"] = { sb.rigid, function() return { {} } end, "radius" },
  ["sb.ring"] = { sb.ring, function() return { { radius = 0.1, wire_radius = 0.003 } } end,
    "radius wire_radius width thickness method elements" },
  ["sb.sleep"] = { sb.sleep, function() return { 1 } end },
  ["sb.stats"] = { sb.stats, function() return {} end },
  ["sb.string"] = { sb.string, function() return { { length = 0.65, diameter = 0.001, tension = 70 } } end,
    "length diameter tension" },
  ["sb.surface"] = { sb.surface, function() return { "rough", { kind = "grid" } } end,
    "kind seed length roughness grain exponent longest shortest period depth width edge variety profile height " ..
    "spacing row beyond grains" },
  ["sb.surface: grains"] = { function(grains) return sb.surface("rough", { kind = "grid", grains = grains }) end,
    function() return { {} } end, "activity most impulse shortest longest" },
  -- With weights = false the later bodies do not need the texture.
  ["sb.texture"] = { function(...)
    local texture, reason, code = sb.texture(...)
    sb.body(name(), { shape = sb.modes { { 440, 1 } }, weights = false })
    return texture, reason, code
  end, function() return { { path = "textures/left.png" } } end, "path files channels modes encoding wrap" },
  ["sb.texture: modes"] = { function(modes) return sb.texture { path = "textures/left.png", modes = modes } end,
    function() return { { 1 } } end, "1 2" },
  ["body:contact"] = { body.contact, function() return { body, { surface = smooth } } end,
    "kind with radius mass material stiffness exponent lambda surface with_surface level seed gap_min gap_max gaps " ..
    "eccentricity interval mu_static mu_kinetic stribeck bristle hold apart force speed with_speed slip at point " ..
    "direction with_at with_direction ramp" },
  ["body:contact: at"] = { function(at) return body:contact { at = at, surface = smooth } end, function() return { {} } end, "u v 1 2 3" },
  ["body:deform"] = { body.deform, function() return { body, { strain = 0.1 } } end, "strain ramp bend" },
  ["body:flex"] = { body.flex, function() return { body, { depth = 0.1 } } end, "depth rate decay bend" },
  ["body:touch"] = { body.touch, function() return { body, { damping = 1 } } end,
    "at point direction kind damping radius ramp" },
  ["body:gain"] = { body.gain, function() return { body, 1 } end },
  ["body:modes"] = { body.modes, function() return { body } end },
  ["body:name"] = { body.name, function() return { body } end },
  ["body:place"] = { body.place, function() return { body, { 0, 0, 0 } } end, "1 2 3 4 x" },
  ["body:remove"] = { body.remove, function() return { dead } end },
  ["body:strike"] = { body.strike, function() return { body, { speed = 1 } } end,
    "at point direction speed impulse mass radius material hardness stiffening contact " ..
    "stiffness exponent lambda gravity bounce with with_at curve limit onset scatter graze" },
  ["body:strike: curve"] = { function(curve) return body:strike { speed = 1, curve = curve } end,
    function() return { { { 1, 1 } } } end, "1 2 speed" },
  ["body:strike: curve "] = { function(point) return body:strike { speed = 1, curve = { point } } end,
    function() return { { 1, 1 } } end, "1 2" },
  ["body:strike: scatter"] = { function(scatter) return body:strike { speed = 1, scatter = scatter } end,
    function() return { {} } end, "rate spread level 1" },
  ["body:strike: graze"] = { function(graze)
      return body:strike { speed = 1, direction = { 1, -1, 0 }, graze = graze } end,
    function() return { {} } end, "time roughness slide level 1" },
  ["body:strike: with_at"] = { function(at) return body:strike { speed = 1, with = ball, with_at = at } end,
    function() return { {} } end, "u v 1 2 3" },
  ["body:strike: at"] = { function(at) return body:strike { speed = 1, at = at } end, function() return { {} } end, "u v 1 2 3" },
  ["body:push"] = { body.push, function() return { rolling, { 0, 0, 0 }, { 0, 0, 0 } } end, "1 2 3 4 x" },
  ["body:position"] = { body.position, function() return { body } end },
  ["body:rotation"] = { body.rotation, function() return { body } end },
  ["body:velocity"] = { body.velocity, function() return { rolling, { 0, 0, 0 } } end, "1 2 3 4 x" },
  ["body:spin"] = { body.spin, function() return { rolling, { 0, 0, 0 } } end, "1 2 3 4 x" },
  ["body:is_asleep"] = { body.is_asleep, function() return { body } end },
  ["param:set"] = { param.set, function() return { param, 0.5 } end },
  ["timer:cancel"] = { timer.cancel, function() return { timer } end },
}

local function assert_no_nan(value, what, depth)
  if value ~= value then error(what .. " gave a nan") end
  if type(value) ~= "table" or depth > 3 or getmetatable(value) then return end
  for key, inner in next, value do
    if key ~= "t" then assert_no_nan(inner, what .. "." .. tostring(key), depth + 1) end
  end
end

-- Undo what a successful call may have made.
local function tidy(result)
  if type(result) ~= "userdata" then return end
  local text = tostring(result)
  if text == "contact" then result:stop() end
  if text == "timer" and result ~= timer then result:cancel() end
  if text == "touch" and result ~= touch then result:lift() end
  if text:find "^body 'fuzz" and state.is_running then result:remove() end
end

local function try(what, f, arguments, count, must_refuse)
  tries = tries + 1
  local is_well, result = pcall(f, table.unpack(arguments, 1, count))
  if is_well then
    if must_refuse then error(what .. " takes " .. must_refuse, 0) end
    assert_no_nan(result, what, 0)
    tidy(result)
    return
  end
  refusals = refusals + 1
  local wanted = what:match "^[^ ]+"
  if type(result) ~= "string" or not result:find(wanted, 1, true) or not result:find "fuzz%.lua:%d+: " then
    error(("%s raised %s: %s"):format(what, type(result), tostring(result)), 0)
  end
end

local function set(t, key, value)
  if rawequal(value, NIL) then value = nil end
  t[math.tointeger(tonumber(key)) or key] = value
end

local function fuzz()
  for what, call in pairs(calls) do
    local f, good, fields = call[1], call[2], call[3]
    local count = #good()
    try(what, f, good(), count)
    for n = 0, count - 1 do try(what, f, good(), n) end -- too few
    for position = 1, count + 2 do -- and too many
      for _, value in ipairs(values()) do
        local arguments = good()
        set(arguments, position, value)
        try(what, f, arguments, math.max(count, position))
      end
    end
    for field in (fields or ""):gmatch "%S+" do
      for _, value in ipairs(values()) do
        local arguments = good()
        set(arguments[count], field, value)
        local is_wild = type(value) == "number" and (value ~= value or math.abs(value) == inf)
        try(what, f, arguments, count, is_wild and field .. " = " .. value)
      end
    end
  end
end

-- sb.reload and sb.reset would start this test again and again; sb.params is
-- in params.lua; deformable bodies are for scene.start, where all are refused.
local not_fuzzed = { version = true, params = true, reload = true, reset = true, deformable = true }
for known in pairs(sb) do
  assert(not_fuzzed[known] or calls["sb." .. known], "no fuzz for sb." .. known)
end

fuzz()

function scene.start()
  state.is_running = true
  touch = calm:touch { damping = 1 }
  calls["touch:set"] = { touch.set, function() return { touch, {} } end, "at point direction kind damping radius ramp" }
  calls["sb.deformable"] = { sb.deformable, function() return { name(), { shape = shape, material = material } } end,
    "shape material elements hold motion position rotation velocity spin gain" }
  calls["body:drive"] = { body.drive, function()
    return { body, { box = { { -1, -1, -1 }, { 1, 1, 1 } }, displacement = { 0, 0.01, 0 }, times = { 0, 1 }, values = { 0, 1 } } }
  end, "box at displacement times values freq" }
  calls["body:push "] = { body.push, function()
    return { body, { box = { { -1, -1, -1 }, { 1, 1, 1 } }, force = { 0, 1, 0 }, duration = 0.1 } }
  end, "box at force moment times values freq duration" }
  calls["touch:lift"] = { touch.lift, function() return { calm:touch { kind = "felt" }, 0.1 } end }
  fuzz()
  -- A param may have been left anywhere in its range, the listener anywhere.
  for key, value in pairs(sb.stats()) do
    assert(value == value and math.abs(value) < inf, key)
  end
end

sb.after(0.2, function()
  assert(tries > 8000 and refusals > tries / 2, tries .. " tries, " .. refusals .. " refusals")
  print(tries .. " tries, " .. refusals .. " refusals")
  for key, value in pairs(sb.stats()) do
    assert(value == value and math.abs(value) < inf, key)
  end
  print "done"
end)
-- SPDX-License-Identifier: MIT
