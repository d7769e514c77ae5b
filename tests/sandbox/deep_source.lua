-- Parentheses, tables, functions and blocks, nested deeply in source.
-- Phases: load, update, coroutine, reload.
for _, pair in ipairs { { "(", ")" }, { "{", "}" }, { "do ", " end " }, { "function() return ", " end" }, { "-", "" }, { "#", "" },
  { "a.b[", "]" }, { "f(", ")" }, { "not ", "" }, { "1 .. ", "" }, { "2 ^ ", "" } } do
  for _, n in ipairs { 100, 190, 1000, 100000 } do
    load("return " .. pair[1]:rep(n) .. "1" .. pair[2]:rep(n))
    load(pair[1]:rep(n) .. pair[2]:rep(n))
  end
end
while true do load(("("):rep(100000)) end
