import { useMemo } from 'react'
import { jsonLines } from './json-lines.ts'
import './json-view.css'

/** JSON with colors, on the deep panel. Long lines wrap below the start of their value. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const lines = useMemo(() => jsonLines(value), [value])
  return (
    <pre className="json" aria-label={label}>
      {lines.map(({ indent, tokens }, line) => (
        <code
          key={line}
          style={{ paddingLeft: `calc(20px + ${indent + 2}ch)`, textIndent: `-${indent + 2}ch` }}
        >
          {' '.repeat(indent)}
          {tokens.map(({ kind, text }, place) => (
            <span key={place} className={`json-${kind}`}>
              {text}
            </span>
          ))}
          {'\n'}
        </code>
      ))}
    </pre>
  )
}
