-- A hundred pictures that are no textures: each gets one sentence that names the
-- file and says what is wrong, and all of them together a moment.
-- seconds: 0.1
local sb = require "sandbell"
local expected = require "expected"

local count = 0
for _, case in ipairs(expected) do
  local given, says = case[1], case[2]
  local texture, message, code = sb.texture(given)
  local what = type(given) == "string" and given or given.path or given.files[1]
  assert(texture == nil, what .. " was read")
  assert(message:find "^sb%.texture: bad[/:]", what .. ": " .. message)
  assert(message:find(says, 1, true), ("%s: '%s' lacks '%s'"):format(what, message, says))
  assert(#message > 25 and not message:find "\n", what .. ": " .. message)
  assert(code == "BAD_FORMAT" or code == "NOT_FOUND" or code == "IO_ERROR", what .. ": " .. code)
  count = count + 1
end
assert(count >= 60)

-- Who goes on with nil is told why, unless that is meant.
local modes = sb.modes { { 440, 1 } }
local ok, reason = pcall(sb.body, "a", { shape = modes, weights = sb.texture "bad/empty.png" })
assert(not ok and reason:find("sb.body: there is no texture: bad/empty.png: is empty", 1, true), reason)
sb.body("a", { shape = modes, weights = sb.texture "bad/empty.png" or false })
sb.body("b", { shape = modes })

print "done"
-- SPDX-License-Identifier: MIT
