interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'punctuation'
  readonly text: string
}

export interface JsonLine {
  /** The number of spaces before the first token. */
  readonly indent: number
  readonly tokens: readonly JsonToken[]
}

/** The text of a value as the inspector shows and copies it. */
export const jsonText = (value: unknown) => JSON.stringify(value, null, 2)

/** A string, then a colon if the string is a key; a number; a word; punctuation or space. */
const token = /("(?:[^"\\]|\\.)*")(:?)|(-?\d[\d.eE+-]*)|(true|false|null)|[{}[\],\s]+/g

/**
 * The lines of `jsonText(value)`, split for coloring. The tokens of all lines, joined, are that
 * text: JSON escapes line breaks inside strings, so each line is complete.
 */
export function jsonLines(value: unknown): JsonLine[] {
  return jsonText(value)
    .split('\n')
    .map((line) => {
      const content = line.trimStart()
      const tokens = [...content.matchAll(token)].flatMap(
        ([text, string, colon, number, word]): JsonToken[] => {
          if (string !== undefined && colon === ':')
            return [
              { kind: 'key', text: string },
              { kind: 'punctuation', text: ':' },
            ]
          if (string !== undefined) return [{ kind: 'string', text: string }]
          if (number !== undefined) return [{ kind: 'number', text: number }]
          if (word !== undefined) return [{ kind: 'word', text: word }]
          return [{ kind: 'punctuation', text }]
        },
      )
      return { indent: line.length - content.length, tokens }
    })
}
