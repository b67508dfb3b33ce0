import './error-box.css'

/** The red box above a form's first field. Render it always: what appears inside is then announced. */
export function ErrorBox({ text }: { text: string | null }) {
  return <div role="alert">{text !== null && <p className="error-box">{text}</p>}</div>
}
