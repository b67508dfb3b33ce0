import { useRef } from 'react'
import './code-field.css'

const length = 6

interface CodeFieldProps {
  readonly value: string
  readonly invalid: boolean
  /** The id of the element with the error. */
  readonly describedBy: string
  readonly onChange: (code: string) => void
}

/** Six digits in one field, so that pasting and the keyboard's suggestion fill the whole code. */
export function CodeField({ value, invalid, describedBy, onChange }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const next = Math.min(value.length, length - 1)

  // The caret stays at the end: a caret between two places is not visible. A selection stays, so
  // that typing replaces it.
  function keepCaretAtEnd() {
    const input = field.current
    if (input === null || input.selectionStart !== input.selectionEnd) return
    input.setSelectionRange(value.length, value.length)
  }
  const accept = (text: string) => onChange(text.replace(/\D/g, '').slice(0, length))

  return (
    <div className="code-field">
      <input
        ref={field}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        name="otp"
        aria-label="Verification code"
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        required
        maxLength={length}
        value={value}
        onChange={(event) => accept(event.target.value)}
        // `maxLength` would cut '123 456' before the space is removed.
        onPaste={(event) => {
          event.preventDefault()
          accept(event.clipboardData.getData('text'))
        }}
        onSelect={keepCaretAtEnd}
      />
      <div className="code-places" aria-hidden="true">
        {Array.from({ length }, (_, place) => (
          <span key={place} className={place === next ? 'code-next' : undefined}>
            {value[place]}
          </span>
        ))}
      </div>
    </div>
  )
}
