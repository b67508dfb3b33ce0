/*
 * PostgreSQL does not store NUL or lone surrogates: a text column refuses NUL, jsonb refuses both.
 * The product checks or cleans texts from outside before they reach a table or an event.
 */

const unstorable = /[\0\p{Surrogate}]/u
const everyUnstorable = /[\0\p{Surrogate}]/gu

export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}

/** The text with U+FFFD in place of each character that PostgreSQL does not store. */
export function storableText(text: string): string {
  return text.replace(everyUnstorable, '\uFFFD')
}

/**
 * A copy of a JSON value in which every text is storable. The copy has the same keys. The value can
 * have maps, whose keys become storable, too.
 */
export function storable<Value>(value: Value): Value {
  return storableValue(value) as Value
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [storableValue(key), storableValue(member)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, storableValue(member)]),
  )
}

interface Place {
  readonly value: unknown
  readonly key: string
  readonly parent: Place | null
}

/**
 * The path of the first text or key that PostgreSQL does not store, or null if PostgreSQL stores
 * the whole value. `['tags', '2']` is the third tag, `[]` is the value itself. Iterative, because
 * any caller of the API chooses the depth of the value, and recursion would overflow the call
 * stack.
 */
export function findUnstorable(value: unknown): readonly string[] | null {
  const open: Place[] = [{ value, key: '', parent: null }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (isRefused(place)) return pathOf(place)
    if (typeof place.value !== 'object' || place.value === null) continue
    for (const [key, member] of Object.entries(place.value).reverse()) {
      const isWhole = typeof member === 'object' && member !== null
      // Nearly all members end here, without a place.
      if (isWhole || isRefused({ value: member, key }))
        open.push({ value: member, key, parent: place })
    }
  }
  return null
}

function isRefused({ value, key }: Pick<Place, 'value' | 'key'>): boolean {
  return !isStorable(key) || (typeof value === 'string' && !isStorable(value))
}

function pathOf(place: Place): readonly string[] {
  const path: string[] = []
  for (let at = place; at.parent !== null; at = at.parent) path.push(storableText(at.key))
  return path.reverse()
}
