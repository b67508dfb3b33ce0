import './error-box.css'

interface ErrorBoxProps {
  /** For the `aria-describedby` of the field that the error is about. */
  readonly id?: string
  readonly text: string | null
}

/**
 * The error box above a form's first field. Always render it, so that screen readers announce a new
 * error. A form can move the focus to it, which also scrolls it into view.
 */
export function ErrorBox({ id, text }: ErrorBoxProps) {
  return (
    // Focusable only with a text: a dialog gives its initial focus to its first focusable element.
    <div className="error-place" role="alert" id={id} tabIndex={text === null ? undefined : -1}>
      {text !== null && <p className="error-box">{text}</p>}
    </div>
  )
}
