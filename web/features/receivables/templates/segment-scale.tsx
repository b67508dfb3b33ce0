import type { PreviewResponse } from '#contracts/receivables/templates'

/** The length of a text on a line with a tick at the end of each segment. */
export function SegmentScale({ text }: { readonly text: PreviewResponse['text'] }) {
  const { units, mostUnits } = text
  const share = Math.min(100, (units / mostUnits) * 100)
  const isOver = units > mostUnits
  return (
    <div className="tpl-scale" role="img" aria-label={lengthInWords(text)}>
      <span className="tpl-axis">
        <b className={isOver ? 'tpl-over' : undefined} style={{ width: `${share}%` }} />
      </span>
      <i style={{ left: 0 }} />
      <i style={{ left: '50%' }} />
      <i style={{ left: '100%' }} />
      <em className={isOver ? 'tpl-over' : undefined} style={{ left: `${share}%` }} />
      <span>0</span>
      <span>{mostUnits / 2}</span>
      <span>{mostUnits}</span>
    </div>
  )
}

/** `177 of 306 characters, 2 of 2 segments` */
export function lengthInWords({ units, mostUnits, segments }: PreviewResponse['text']): string {
  return `${units} of ${mostUnits} characters, ${segments} of 2 segments`
}
