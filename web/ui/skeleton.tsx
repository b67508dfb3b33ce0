import './skeleton.css'

interface SkeletonProps {
  /** A CSS length, equal to the loaded content's. */
  readonly width?: string
  readonly height?: string
}

/**
 * A placeholder with the size of the loaded content. Name the loading content once in a text beside
 * it.
 */
export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />
}
