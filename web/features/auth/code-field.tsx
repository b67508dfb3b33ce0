import { useRef, type FormEvent } from 'react'
import { codeIn, codeLength as length, typedCode } from '#contracts/sign-in-code'
import './code-field.css'

interface CodeFieldProps {
  readonly value: string
  readonly invalid: boolean
  /** The id of the element with the error. */
  readonly describedBy: string
  readonly onChange: (code: string) => void
  /** A text without one six-digit code was pasted or dropped. The field stays as it is. */
  readonly onNoCode: () => void
}

/** Six digits in one field, so that pasting and the keyboard's suggestion fill the whole code. */
export function CodeField({ value, invalid, describedBy, onChange, onNoCode }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const next = Math.min(value.length, length - 1)

  // The caret stays at the end: a caret between two places is not visible. A selection stays, so
  // that typing replaces it.
  function keepCaretAtEnd() {
    const input = field.current
    if (input === null || input.selectionStart !== input.selectionEnd) return
    input.setSelectionRange(value.length, value.length)
  }

  /** A pasted text can be a whole message. */
  function acceptMessage(text: string) {
    const code = codeIn(text)
    if (code === null) onNoCode()
    else onChange(code)
  }

  function accept(text: string) {
    const typed = typedCode(text)
    const isTyped = text.length <= value.length + 1
    if (isTyped) onChange(typed.replace(/\D/g, '').slice(0, length))
    else if (/^\d*$/.test(typed) && typed.length <= length) onChange(typed)
    // Dropped, dictated or filled by the browser, perhaps beside the digits of before.
    else acceptMessage(text.replace(value, ' '))
  }

  function acceptInput(event: FormEvent<HTMLInputElement>) {
    const { value: text } = event.currentTarget
    const isComposing = 'isComposing' in event.nativeEvent && event.nativeEvent.isComposing === true
    // A change of the text would break the input method's composition.
    if (isComposing) onChange(text)
    else accept(text)
  }

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
        // No `maxLength`: it would cut a longer text before its code is found.
        value={value}
        onChange={acceptInput}
        onCompositionEnd={(event) => accept(event.currentTarget.value)}
        onPaste={(event) => {
          event.preventDefault()
          acceptMessage(event.clipboardData.getData('text'))
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
