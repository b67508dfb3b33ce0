import { siteContent } from '#contracts/brand/site-content'
import { RotationButton } from './rotation/rotation-button.tsx'
import { RotationLine } from './rotation/rotation-line.tsx'
import type { Rotation } from './rotation/use-rotation.ts'
import './subtitles.css'

const { scenes } = siteContent.hero

/** The subtitles lie on top of each other, so that a longer one does not move the page. */
export function Subtitles({ rotation }: { rotation: Rotation }) {
  const { index, isRunning, held } = rotation
  return (
    <div className="subtitles">
      <div className="subtitles-texts" aria-live={isRunning ? 'off' : 'polite'} {...held}>
        {scenes.map(({ subtitle }, at) => (
          <p key={subtitle} className={at === index ? 'subtitle-shown' : undefined}>
            {subtitle}
          </p>
        ))}
      </div>
      <div className="subtitles-time">
        {scenes.map(({ label }, at) => (
          <RotationLine key={label} rotation={rotation} part={at} />
        ))}
        <RotationButton rotation={rotation} what="the subtitles and pictures" />
      </div>
    </div>
  )
}
