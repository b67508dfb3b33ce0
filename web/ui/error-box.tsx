import './error-box.css'

/**
 * The error box above a form's first field. Always render it, so that screen readers announce a new
 * error.
 */
export function ErrorBox({ text }: { text: string | null }) {
  return <div role="alert">{text !== null && <p className="error-box">{text}</p>}</div>
}
