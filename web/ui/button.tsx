import type { ButtonHTMLAttributes, Ref } from 'react'
import { Spinner } from './spinner.tsx'
import './button.css'

export interface ButtonLook {
  /**
   * `go` is for buttons that start a payment and for the main action of a page; other buttons use
   * ink.
   */
  readonly look?: 'ink' | 'go' | 'line' | 'quiet' | 'risk' | 'link'
  readonly size?: 'sm' | 'control' | 'md' | 'lg'
  readonly wide?: boolean
}

/** The classes of a button, for a link with the look of a button. */
export function buttonClass(
  { look = 'ink', size = 'control', wide = false }: ButtonLook,
  extra = '',
): string {
  return [
    'button',
    look !== 'ink' && `button-${look}`,
    size !== 'control' && `button-${size}`,
    wide && 'button-wide',
    extra,
  ]
    .filter(Boolean)
    .join(' ')
}

interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and ignores presses. `disabled` would lose the focus. */
  readonly busy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  look,
  size,
  wide,
  busy = false,
  disabled = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, size, wide }, className)}
      disabled={disabled}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      // Of a submit button, this also stops the submission, by Enter in a field too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
