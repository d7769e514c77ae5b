-- This one and second.lua require each other.
return require "modules.second"
-- SPDX-License-Identifier: MIT
