import { Fragment } from 'react'
import slide4AvifPhone390 from './slide-4-phone-390.avif'
import slide4AvifPhone780 from './slide-4-phone-780.avif'
import slide4Avif1280 from './slide-4-1280.avif'
import slide4Avif1920 from './slide-4-1920.avif'
import slide4WebpPhone390 from './slide-4-phone-390.webp'
import slide4WebpPhone780 from './slide-4-phone-780.webp'
import slide4Webp1280 from './slide-4-1280.webp'
import slide4Webp1920 from './slide-4-1920.webp'
import './purchases-picture.css'

const phoneSet = (w390: string, w780: string) => `${w390} 390w, ${w780} 780w`
const desktopSet = (w1280: string, w1920: string) => `${w1280} 1280w, ${w1920} 1920w`

/** The picture of the fourth slide. Phones show the screen of a phone. */
const picture = {
  phone: {
    avif: phoneSet(slide4AvifPhone390, slide4AvifPhone780),
    webp: phoneSet(slide4WebpPhone390, slide4WebpPhone780),
  },
  desktop: {
    avif: desktopSet(slide4Avif1280, slide4Avif1920),
    webp: desktopSet(slide4Webp1280, slide4Webp1920),
  },
  fallback: slide4Webp1280,
} as const

export function PurchasesPicture({ label }: { label: string }) {
  return (
    <picture className="slide-picture">
      {(['avif', 'webp'] as const).map((format) => (
        <Fragment key={format}>
          <source
            media="(max-width: 640px)"
            type={`image/${format}`}
            srcSet={picture.phone[format]}
            sizes={phoneSizes}
            width={390}
            height={430}
          />
          <source type={`image/${format}`} srcSet={picture.desktop[format]} sizes={desktopSizes} />
        </Fragment>
      ))}
      <img
        src={picture.fallback}
        alt={label}
        width={1280}
        height={800}
        decoding="async"
        fetchPriority="low"
      />
    </picture>
  )
}

/** The content column: the window without two gutters (16 px, or 4 % of it) and 24 px of rail. */
const phoneSizes = '(max-width: 400px) calc(100vw - 56px), calc(92vw - 24px)'

/** The content column, 1120 px at most. A narrow one shows only the left part of the picture. */
const desktopSizes = '(max-width: 860px) 200vw, (max-width: 1344px) 85vw, 1120px'
