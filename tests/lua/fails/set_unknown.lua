-- set: hardnes=3
-- fails: fails/set_unknown.lua has no param called 'hardnes'; did you mean 'hardness'?
local sb = require "sandbell"
sb.param("hardness", { min = 1, max = 5 })
