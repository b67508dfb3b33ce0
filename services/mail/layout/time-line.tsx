import type { CSSProperties } from 'react'
import type { TimeLine } from '../mail-content.ts'
import { usePaint } from './mail-brand.ts'
import { Cell, Table } from './table.tsx'
import { type } from './type.ts'

/** The line with its marks and its needle. The dates are text, so the drawing has no words. */
export function Line({ line: { start, end, now } }: { readonly line: TimeLine }) {
  const share = now === undefined ? 0 : Math.round(Math.min(0.98, Math.max(0.02, now.share)) * 100)
  return (
    <>
      {now !== undefined && <NeedleLabel share={share} label={now.label} />}
      <Table>
        <tr data-skip-in-text="true">
          <Mark mark={start.mark} />
          {now === undefined ? (
            <Stretch />
          ) : (
            <>
              <Stretch share={share} />
              <Mark mark="needle" />
              <Stretch share={100 - share} />
            </>
          )}
          <Mark mark={end.mark} />
        </tr>
      </Table>
      <Table>
        <tr>
          <End {...start} align="left" />
          <End {...end} align="right" />
        </tr>
      </Table>
    </>
  )
}

/** Above the needle, on the side where the line is longer. */
function NeedleLabel({ share, label }: { readonly share: number; readonly label: string }) {
  const isLate = share > 50
  const text = { ...type('small', 600), paddingBottom: 6, whiteSpace: 'nowrap' } as const
  const rest: CSSProperties = { fontSize: 1, lineHeight: '1px' }
  return (
    <Table>
      <tr data-skip-in-text="true">
        {isLate ? (
          <>
            <Cell align="right" width={`${share}%`} colors={{ text: 'ink' }} style={text}>
              {label}
            </Cell>
            <Cell width={`${100 - share}%`} style={rest} />
          </>
        ) : (
          <>
            <Cell width={`${share}%`} style={rest} />
            <Cell width={`${100 - share}%`} colors={{ text: 'ink' }} style={text}>
              {label}
            </Cell>
          </>
        )}
      </tr>
    </Table>
  )
}

const noText: CSSProperties = { fontSize: 1, lineHeight: '1px' }

/** A part of the line: a cell of 2 px height. */
function Stretch({ share }: { readonly share?: number }) {
  return (
    <Cell width={share === undefined ? '' : `${share}%`} style={noText}>
      <Table>
        <tr>
          <Cell height={2} colors={{ ground: 'ink' }} style={{ ...noText, height: 2 }}>
            {'\u00a0'}
          </Cell>
        </tr>
      </Table>
    </Cell>
  )
}

const marks = {
  paid: { width: 14, height: 14, ground: 'positiveFill' },
  failed: { width: 14, height: 14, ground: 'negativeFill' },
  hollow: { width: 12, height: 12, ground: 'ink' },
  needle: { width: 4, height: 24, ground: 'accent' },
} as const

function Mark({ mark }: { readonly mark: keyof typeof marks }) {
  const { width, height, ground } = marks[mark]
  return (
    <Cell width={width} style={noText}>
      <Table width={width}>
        <tr>
          <Cell
            width={width}
            height={height}
            colors={{ ground }}
            style={{ ...noText, width, height, borderRadius: mark === 'needle' ? 0 : 2 }}
          >
            {mark === 'hollow' ? <Hole size={width - 4} /> : '\u00a0'}
          </Cell>
        </tr>
      </Table>
    </Cell>
  )
}

/** A border would widen the cell in some mail programs, so the inside of the mark is a table. */
function Hole({ size }: { readonly size: number }) {
  return (
    <Table width={size} style={{ margin: '0 auto' }}>
      <tr>
        <Cell
          width={size}
          height={size}
          colors={{ ground: 'surface' }}
          style={{ ...noText, width: size, height: size }}
        >
          {'\u00a0'}
        </Cell>
      </tr>
    </Table>
  )
}

const labelColors = { paid: 'positive', failed: 'negative', hollow: 'ink', needle: 'ink' } as const

function End({
  mark,
  label,
  date,
  align,
}: TimeLine['start'] & { readonly align: 'left' | 'right' }) {
  const painted = usePaint()({ text: labelColors[mark] })
  return (
    <Cell
      align={align}
      className="pair"
      colors={{ text: 'ink2' }}
      style={{ ...type('small'), paddingTop: 8 }}
    >
      <span className={painted.className} style={{ ...painted.style, fontWeight: 600 }}>
        {label}
      </span>
      <br />
      <span>{date}</span>
    </Cell>
  )
}
