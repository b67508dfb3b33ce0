let count = 0

/** The same object with other texts and figures: those of another owner of the product. */
export function withOtherTexts<Value>(value: Value, key = ''): Value {
  // These select a component.
  if (key === 'drawing' || key === 'scale') return value
  if (typeof value === 'string') return `Lorem ${(count += 1)}` as Value
  if (typeof value === 'number') return 7 as Value
  if (Array.isArray(value)) return value.map((item: unknown) => withOtherTexts(item)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    withOtherTexts(item, name),
  ])
  return Object.fromEntries(entries) as Value
}
