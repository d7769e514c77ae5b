-- Modules outside of the scene's folder.
-- Phases: load, update, coroutine, reload.
for _, name in ipairs { "../secret", "..secret", "../../etc/passwd", "/etc/passwd", "outside", "outside.secret", "./secret",
  "folder/../../secret", "secret\0", "file:///etc/passwd", "..", ".", "", "a..b" } do
  local is_well, value = pcall(require, name)
  if is_well then print("escaped: " .. name .. tostring(value)) end
end
