import './spinner.css'

/** Only inside a pressed button; a place that waits for data shows a Skeleton. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
