-- fails: fails/top_level.lua:3: sb.bar: unknown field 'lenght'; did you mean 'length'?
local sb = require "sandbell"
sb.bar { lenght = 3 }
