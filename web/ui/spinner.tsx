import './spinner.css'

/** For busy buttons and short waits. An area that loads data shows a Skeleton. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
