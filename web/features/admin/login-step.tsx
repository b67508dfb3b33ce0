import { useId, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { errorText } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { TextField } from '../../ui/field.tsx'
import '../../ui/panel.css'
import './admin-login.css'

interface LoginStepProps {
  readonly title: string
  /** The one field of the step. */
  readonly field: Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'autoFocus'>
  readonly value: string
  readonly onChange: (value: string) => void
  /** The words of the button that sends the value. */
  readonly action: string
  readonly isBusy: boolean
  readonly onSubmit: () => Promise<void>
  /** Undefined if the last try was not refused. */
  readonly error: unknown
  /** Shown for an error without a sentence of the server. */
  readonly failure?: string
  readonly notice?: ReactNode
  /** The way out of the step. */
  readonly children?: ReactNode
}

/** A step of the administrator's login: one field, and the button that sends it. */
export function LoginStep({
  title,
  field,
  value,
  onChange,
  action,
  isBusy,
  onSubmit,
  error,
  failure = 'Login failed',
  notice,
  children,
}: LoginStepProps) {
  const headingId = useId()

  function submit(event: FormEvent): void {
    event.preventDefault()
    void onSubmit()
  }

  return (
    <form className="panel" aria-labelledby={headingId} onSubmit={submit}>
      <h1 id={headingId}>{title}</h1>
      {notice}
      <ErrorBox text={error === undefined ? null : errorText(error, failure)} />
      <TextField
        {...field}
        autoFocus
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <Button type="submit" size="md" wide busy={isBusy} disabled={value === ''}>
        {action}
      </Button>
      {children}
    </form>
  )
}
