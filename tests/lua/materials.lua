-- Materials: the library, derivation, and every wrong argument.
local sb = require "sandbell"
local check = require "modules.check"
local raises = check.raises

local names = sb.materials()
assert(#names >= 16, "the library has at least 16 materials")
for i, name in ipairs(names) do
  local material = sb.material(name)
  check.equal(material.name, name)
  check.equal(tostring(material), "material '" .. name .. "'")
  assert(i == 1 or names[i - 1] < name, "sorted")
  for _, field in ipairs { "density", "youngs_modulus", "poisson_ratio", "alpha", "beta", "hardness", "roughness", "restitution", "friction",
    "youngs_modulus_across", "shear_modulus" } do
    local value = material[field]
    assert(math.type(value) == "float" and value == value and math.abs(value) < check.inf, name .. "." .. field)
  end
end
names[1] = "changed" -- a copy: the library itself stays
assert(sb.materials()[1] ~= "changed")

local steel = sb.material "steel"
local alpha = steel.alpha
check.equal(steel.density, 7850.0)

-- A material that starts from another: given by value, by name, by its own name.
local dull = sb.material("dull", { base = steel, alpha = 60 })
check.equal(dull.name, "dull")
check.equal(dull.alpha, 60.0)
check.equal(dull.beta, steel.beta)
check.equal(dull.youngs_modulus, steel.youngs_modulus)
check.equal(steel.alpha, alpha, "the base stays as it was")
check.equal(sb.material("d2", { base = "steel", density = 8000 }).poisson_ratio, steel.poisson_ratio)
check.equal(sb.material("steel", { alpha = 7 }).density, steel.density)
check.equal(sb.material("steel").alpha, alpha, "the library stays as it was")
check.equal(sb.material("d3", { base = dull, beta = 0 }).alpha, 60.0, "derived twice")

-- Written from nothing, with what a plain material has.
local mine = sb.material("mine", { density = 830, youngs_modulus = 12.5e9, poisson_ratio = 0.33 })
check.equal(mine.density, 830.0)
check.equal(mine.alpha, 5.0)
check.equal(mine.hardness, 1e8)

-- A grain: both moduli or none; a new stiffness along takes both with it.
local grained = sb.material("grained", { base = mine, youngs_modulus_across = 1e9, shear_modulus = 8e8 })
check.equal(mine.shear_modulus, 0.0)
local stiffer = sb.material("stiffer", { base = grained, youngs_modulus = 25e9 })
check.equal(stiffer.youngs_modulus_across, 2e9)
check.equal(stiffer.shear_modulus, 1.6e9)
local own = sb.material("own", { base = grained, youngs_modulus = 25e9, shear_modulus = 1e9 })
check.equal(own.youngs_modulus_across, 2e9)
check.equal(own.shear_modulus, 1e9)
check.equal(sb.material("even", { base = grained, youngs_modulus_across = 0 }).shear_modulus, 0.0)
check.equal(sb.material("even", { base = grained, shear_modulus = 0 }).youngs_modulus_across, 0.0)
raises("sb.material: material: shear_modulus is needed with youngs_modulus_across (both 0: isotropic)",
  function() sb.material("m", { base = mine, youngs_modulus_across = 1e9 }) end)
raises("sb.material: material: poisson_ratio^2 youngs_modulus_across / youngs_modulus must be less than 1, got 1.089",
  function() sb.material("m", { base = mine, youngs_modulus_across = 125e9, shear_modulus = 1e9 }) end)
raises("sb.material: youngs_modulus_across must be 0 (isotropic) or a number from 1000 to 2e+12 Pa, got -1",
  function() sb.material("m", { base = mine, youngs_modulus_across = -1 }) end)

-- The ends of the ranges.
sb.material("least", { density = 1, youngs_modulus = 1e3, poisson_ratio = -0.99, alpha = 0, beta = 0, hardness = 1,
  roughness = 0 })
sb.material("most", { density = 1e5, youngs_modulus = 2e12, poisson_ratio = 0.499, alpha = 1e5, beta = 1, hardness = 1e13,
  roughness = 0.1 })

local shape = sb.rigid()
raises("sb.material: the name must be a string, got nil", function() sb.material() end)
raises("sb.material: the name must be a string, got 3", function() sb.material(3) end)
raises("sb.material: the name must have 1 to 63 bytes", function() sb.material("") end)
raises("sb.material: the name must not hold a zero byte", function() sb.material("a\0b") end)
raises("sb.material: the name must have 1 to 63 bytes", function() sb.material(("x"):rep(64)) end)
raises("sb.material: no material called 'stele' in the library; did you mean 'steel'? (sb.materials() lists them)",
  function() sb.material("stele") end)
raises("sb.material: no material called 'granite' in the library; like it are stone, marble or concrete"
  .. " (sb.materials() lists all)", function() sb.material("granite") end)
raises("sb.material: no material called 'qqqqqqq' in the library (sb.materials() lists them)",
  function() sb.material("qqqqqqq") end)
raises("sb.material: field 'density' is missing (or give base = a material to start from)",
  function() sb.material("mine", {}) end)
raises("sb.material: field 'youngs_modulus' is missing (or give base = a material to start from)",
  function() sb.material("mine", { density = 1000 }) end)
raises("sb.material needs a table { field = value, ... }, got 3", function() sb.material("mine", 3) end)
raises("sb.material: no material called 'stele' in the library; did you mean 'steel'? (sb.materials() lists them)",
  function() sb.material("mine", { base = "stele" }) end)
raises("sb.material: base must be a material or a name, got 3",
  function() sb.material("mine", { base = 3 }) end)
raises("sb.material: base must be a material or a name, got a Shape",
  function() sb.material("mine", { base = shape }) end)
raises("sb.material: unknown field 'densty'; did you mean 'density'? (known: base, density, youngs_modulus, poisson_ratio, alpha, beta, hardness, roughness, restitution, friction, youngs_modulus_across, shear_modulus)",
  function() sb.material("mine", { base = "steel", densty = 3 }) end)
raises("sb.material: poisson_ratio must be a number from -0.99 to 0.499, got 0.5",
  function() sb.material("mine", { base = "steel", poisson_ratio = 0.5 }) end)
raises("Material has no 'colour'", function() return sb.material("steel").colour end)
raises("Material: the field must be a string, got 1", function() return sb.material("steel")[1] end)
raises("a material does not change; derive one with sb.material(name, { base = ..., ... })",
  function() sb.material("steel").density = 3 end)
raises("Material has no 'densty'; did you mean 'density'?", function() return steel.densty end)
raises("a material does not change; derive one with sb.material(name, { base = ..., ... })", function() steel.alpha = 3 end)

print "done"
-- SPDX-License-Identifier: MIT
