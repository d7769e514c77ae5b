-- More bodies than there are places for.
-- fails: all
local sb = require "sandbell"
for i = 1, 20000 do
  sb.body("b" .. i, { shape = sb.modes { { 440, 1 } } })
end
