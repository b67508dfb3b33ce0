import { Fragment } from 'react'
import slide2AvifPhone390 from './slide-2-phone-390.avif'
import slide2AvifPhone780 from './slide-2-phone-780.avif'
import slide2Avif1280 from './slide-2-1280.avif'
import slide2Avif1920 from './slide-2-1920.avif'
import slide2WebpPhone390 from './slide-2-phone-390.webp'
import slide2WebpPhone780 from './slide-2-phone-780.webp'
import slide2Webp1280 from './slide-2-1280.webp'
import slide2Webp1920 from './slide-2-1920.webp'
import slide3AvifPhone390 from './slide-3-phone-390.avif'
import slide3AvifPhone780 from './slide-3-phone-780.avif'
import slide3Avif1280 from './slide-3-1280.avif'
import slide3Avif1920 from './slide-3-1920.avif'
import slide3WebpPhone390 from './slide-3-phone-390.webp'
import slide3WebpPhone780 from './slide-3-phone-780.webp'
import slide3Webp1280 from './slide-3-1280.webp'
import slide3Webp1920 from './slide-3-1920.webp'
import slide4AvifPhone390 from './slide-4-phone-390.avif'
import slide4AvifPhone780 from './slide-4-phone-780.avif'
import slide4Avif1280 from './slide-4-1280.avif'
import slide4Avif1920 from './slide-4-1920.avif'
import slide4WebpPhone390 from './slide-4-phone-390.webp'
import slide4WebpPhone780 from './slide-4-phone-780.webp'
import slide4Webp1280 from './slide-4-1280.webp'
import slide4Webp1920 from './slide-4-1920.webp'
import './screen-picture.css'

const smallScreenSet = (w390: string, w780: string) => `${w390} 390w, ${w780} 780w`
const largeScreenSet = (w1280: string, w1920: string) => `${w1280} 1280w, ${w1920} 1920w`

/** The pictures of the slides after the first one. Small screens show the screen of a phone. */
const pictures = [
  {
    smallScreen: {
      avif: smallScreenSet(slide2AvifPhone390, slide2AvifPhone780),
      webp: smallScreenSet(slide2WebpPhone390, slide2WebpPhone780),
    },
    largeScreen: {
      avif: largeScreenSet(slide2Avif1280, slide2Avif1920),
      webp: largeScreenSet(slide2Webp1280, slide2Webp1920),
    },
    fallback: slide2Webp1280,
  },
  {
    smallScreen: {
      avif: smallScreenSet(slide3AvifPhone390, slide3AvifPhone780),
      webp: smallScreenSet(slide3WebpPhone390, slide3WebpPhone780),
    },
    largeScreen: {
      avif: largeScreenSet(slide3Avif1280, slide3Avif1920),
      webp: largeScreenSet(slide3Webp1280, slide3Webp1920),
    },
    fallback: slide3Webp1280,
  },
  {
    smallScreen: {
      avif: smallScreenSet(slide4AvifPhone390, slide4AvifPhone780),
      webp: smallScreenSet(slide4WebpPhone390, slide4WebpPhone780),
    },
    largeScreen: {
      avif: largeScreenSet(slide4Avif1280, slide4Avif1920),
      webp: largeScreenSet(slide4Webp1280, slide4Webp1920),
    },
    fallback: slide4Webp1280,
  },
] as const

/** `at` is the place of the slide: the first one, 0, is drawn in HTML. */
export function ScreenPicture({ at, label }: { at: number; label: string }) {
  const picture = pictures[at - 1]
  if (!picture) throw new Error(`The carousel has no picture for scene ${at + 1}.`)
  return (
    <picture className="slide-picture">
      {(['avif', 'webp'] as const).map((format) => (
        <Fragment key={format}>
          <source
            media="(max-width: 640px)"
            type={`image/${format}`}
            srcSet={picture.smallScreen[format]}
            sizes={smallScreenSizes}
            width={390}
            height={430}
          />
          <source
            type={`image/${format}`}
            srcSet={picture.largeScreen[format]}
            sizes={largeScreenSizes}
          />
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
const smallScreenSizes = '(max-width: 400px) calc(100vw - 56px), calc(92vw - 24px)'

/** The content column, 1120 px at most. A narrow one shows only the left part of the picture. */
const largeScreenSizes = '(max-width: 860px) 200vw, (max-width: 1344px) 85vw, 1120px'
