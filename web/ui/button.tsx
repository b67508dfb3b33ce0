import type { ButtonHTMLAttributes, Ref } from 'react'
import { Spinner } from './spinner.tsx'
import './button.css'

export interface ButtonLook {
  /** `go` is for money about to be committed or the visit's one goal; everything else is ink. */
  readonly look?: 'ink' | 'go' | 'line' | 'quiet' | 'risk' | 'link'
  readonly size?: 'sm' | 'control' | 'md' | 'lg'
  readonly wide?: boolean
}

/** The classes of a button, for a link that looks like one. */
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
  /** Shows a spinner and takes no further presses. */
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
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, size, wide }, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
