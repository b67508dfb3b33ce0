/** Stripe returns this number of entries of a list that is inside another object. */
const nestedLength = 10

/**
 * An answer as Stripe sends it: each list inside another object has its first ten entries. The
 * list's own call returns the others. The entries of a list that is itself the answer are not cut.
 */
export function cutLists(answer: object): object {
  return isList(answer)
    ? { ...answer, data: answer.data.map((entry) => cut(entry)) }
    : mapFields(answer)
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => cut(entry))
  if (typeof value !== 'object' || value === null) return value
  if (!isList(value)) return mapFields(value)
  const { data, has_more } = value
  return {
    ...value,
    data: data.slice(0, nestedLength).map((entry) => cut(entry)),
    has_more: has_more || data.length > nestedLength,
  }
}

function mapFields(object: object): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, cut(value)]))
}

function isList(value: object): value is { readonly data: unknown[]; readonly has_more: boolean } {
  return (
    'object' in value && value.object === 'list' && 'data' in value && Array.isArray(value.data)
  )
}
