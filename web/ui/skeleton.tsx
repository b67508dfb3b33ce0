import './skeleton.css'

interface SkeletonProps {
  /** Any CSS length, as the real thing will be. */
  readonly width?: string
  readonly height?: string
}

/** The final geometry of what is still loading. Say what is loading once, in words, beside it. */
export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />
}
