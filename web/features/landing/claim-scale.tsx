import { siteContent } from '#contracts/brand/site-content'
import type { Highlight } from '#contracts/brand/site-content-type'
import { unreachable } from '../../lib/unreachable.ts'

const { claims } = siteContent
const width = 300

/** A claim's figure on its scale. Hidden from screen readers: the figure is beside it. */
export function ClaimScale({ scale }: Pick<Highlight, 'scale'>) {
  return (
    <svg
      className="claim-scale"
      viewBox={`0 0 ${width} 28`}
      preserveAspectRatio="xMinYMid meet"
      aria-hidden="true"
    >
      {marksOf(scale)}
    </svg>
  )
}

function marksOf(scale: Highlight['scale']) {
  switch (scale) {
    case 'years':
      return <Years />
    case 'share':
      return <Share />
    case 'rating':
      return <Rating />
    default:
      return unreachable(scale)
  }
}

/** A tick per year, a long one every five years, the needle at the last. */
function Years() {
  const step = (width - 6) / (claims.years - 1)
  return Array.from({ length: claims.years }, (_, year) => {
    const isLast = year === claims.years - 1
    return (
      <path
        key={year}
        d={`M${(3 + year * step).toFixed(1)} 26V${isLast || year % 5 === 0 ? 4 : 13}`}
        stroke={isLast ? 'var(--accent)' : 'var(--ink)'}
        strokeWidth="2"
      />
    )
  })
}

function Share() {
  const end = (claims.fewerFollowUps / 100) * width
  return (
    <>
      <path d={`M0 20h${width}`} stroke="var(--data-track)" strokeWidth="10" />
      <path d={`M0 20h${end}`} stroke="var(--ink)" strokeWidth="10" />
      <path d={`M${end} 8v20`} stroke="var(--accent)" strokeWidth="3" />
    </>
  )
}

/** From one to the best rating. */
function Rating() {
  const step = (width - 2) / (claims.bestRating - 1)
  const xOf = (rating: number) => (1 + (rating - 1) * step).toFixed(1)
  return (
    <>
      <path d={`M1 26H${width - 1}`} stroke="var(--rule-2)" strokeWidth="2" />
      {Array.from({ length: claims.bestRating }, (_, at) => (
        <path key={at} d={`M${xOf(at + 1)} 27v-12`} stroke="var(--ink)" strokeWidth="2" />
      ))}
      <path d={`M${xOf(claims.rating)} 27V4`} stroke="var(--accent)" strokeWidth="3" />
    </>
  )
}
