import './error-box.css'

interface ErrorBoxProps {
  /** For the `aria-describedby` of the field that the error is about. */
  readonly id?: string
  readonly text: string | null
}

/**
 * The error box above a form's first field. Always render it, so that screen readers announce a new
 * error.
 */
export function ErrorBox({ id, text }: ErrorBoxProps) {
  return (
    <div role="alert" id={id}>
      {text !== null && <p className="error-box">{text}</p>}
    </div>
  )
}
