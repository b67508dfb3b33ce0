import './paid-mark.css'

/** A large paid mark. Its check is animated once. */
export function PaidMark() {
  return (
    <svg
      className="paid-mark"
      viewBox="0 0 44 44"
      width="44"
      height="44"
      fill="none"
      aria-hidden="true"
    >
      <rect width="44" height="44" rx="6" fill="var(--positive-fill)" />
      <path d="m12 22.5 7.2 7.2L32.5 15" stroke="var(--on-fill)" strokeWidth="4" pathLength="1" />
    </svg>
  )
}
