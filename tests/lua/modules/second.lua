-- This one and first.lua require each other.
return require "modules.first"
-- SPDX-License-Identifier: MIT
