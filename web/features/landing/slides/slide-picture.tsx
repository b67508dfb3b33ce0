import { Fragment } from 'react'
import slide2Avif640 from './slide-2-640.avif'
import slide2Avif1280 from './slide-2-1280.avif'
import slide2Avif1920 from './slide-2-1920.avif'
import slide2Webp640 from './slide-2-640.webp'
import slide2Webp1280 from './slide-2-1280.webp'
import slide2Webp1920 from './slide-2-1920.webp'
import slide3Avif640 from './slide-3-640.avif'
import slide3Avif1280 from './slide-3-1280.avif'
import slide3Avif1920 from './slide-3-1920.avif'
import slide3Webp640 from './slide-3-640.webp'
import slide3Webp1280 from './slide-3-1280.webp'
import slide3Webp1920 from './slide-3-1920.webp'
import slide4Avif640 from './slide-4-640.avif'
import slide4Avif1280 from './slide-4-1280.avif'
import slide4Avif1920 from './slide-4-1920.avif'
import slide4Webp640 from './slide-4-640.webp'
import slide4Webp1280 from './slide-4-1280.webp'
import slide4Webp1920 from './slide-4-1920.webp'
import './slide-picture.css'

/** The addresses of a picture, by width in pixels. Phones get no more than 1280 pixels. */
const setOf = (w640: string, w1280: string, w1920: string) => {
  const phone = `${w640} 640w, ${w1280} 1280w`
  return { phone, all: `${phone}, ${w1920} 1920w` }
}

/** The pictures of the second and later slides. */
const pictures = [
  {
    avif: setOf(slide2Avif640, slide2Avif1280, slide2Avif1920),
    webp: setOf(slide2Webp640, slide2Webp1280, slide2Webp1920),
    fallback: slide2Webp1280,
  },
  {
    avif: setOf(slide3Avif640, slide3Avif1280, slide3Avif1920),
    webp: setOf(slide3Webp640, slide3Webp1280, slide3Webp1920),
    fallback: slide3Webp1280,
  },
  {
    avif: setOf(slide4Avif640, slide4Avif1280, slide4Avif1920),
    webp: setOf(slide4Webp640, slide4Webp1280, slide4Webp1920),
    fallback: slide4Webp1280,
  },
] as const

/** `at` is the slide's place in the carousel, from 1. */
export function SlidePicture({ at, alt }: { at: number; alt: string }) {
  const picture = pictures[at - 1]
  if (!picture) throw new Error(`The carousel has no picture for scene ${at + 1}.`)
  return (
    <picture className="slide-picture">
      {(['avif', 'webp'] as const).map((format) => (
        <Fragment key={format}>
          <source
            media="(max-width: 640px)"
            type={`image/${format}`}
            srcSet={picture[format].phone}
            sizes={sizes}
          />
          <source type={`image/${format}`} srcSet={picture[format].all} sizes={sizes} />
        </Fragment>
      ))}
      <img
        src={picture.fallback}
        alt={alt}
        width={1280}
        height={800}
        decoding="async"
        fetchPriority="low"
      />
    </picture>
  )
}

/** The content column: the window without gutters and rail, 1120 px at most. */
const sizes = '(max-width: 860px) 200vw, (max-width: 1344px) 85vw, 1120px'
