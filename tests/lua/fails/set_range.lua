-- set: hardness=30
-- fails: --set: param 'hardness': the value must be from 1 to 5, got 30
local sb = require "sandbell"
sb.param("hardness", { min = 1, max = 5 })
