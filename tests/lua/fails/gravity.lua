-- fails: fails/gravity.lua:4: sb.world: gravity must be a vector of 0 to 10000 m/s^2 in length, got 12727.922
local sb = require "sandbell"
sb.world { gravity = { 0, -1e4, 0 } }
sb.world { gravity = { 9000, -9000, 0 } }
