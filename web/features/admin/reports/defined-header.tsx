import { useId, useRef, useState, type CSSProperties } from 'react'
import { isFigure, type ReportColumn } from '#contracts/finance/report-columns'
import { titleOf } from './columns.ts'

/**
 * The header of a column. Its definition shows under the pointer, with the focus, and after a
 * press. The table clips what overflows, so the definition has a place in the window.
 */
export function DefinedHeader({ column }: { column: ReportColumn }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [place, setPlace] = useState<CSSProperties | null>(null)

  function show(): void {
    const box = button.current?.getBoundingClientRect()
    if (!box) return
    const left = Math.min(Math.max(8, box.left - 12), window.innerWidth - width - 8)
    const isBelow = box.bottom + height < window.innerHeight
    setPlace({
      left: Math.max(8, left),
      ...(isBelow ? { top: box.bottom + 6 } : { bottom: window.innerHeight - box.top + 6 }),
    })
  }
  const hide = () => setPlace(null)

  return (
    <th scope="col" className={isFigure(column) ? 'align-right' : undefined}>
      <button
        ref={button}
        type="button"
        className="defined"
        aria-describedby={id}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={({ key }) => key === 'Escape' && hide()}
      >
        {titleOf(column)}
      </button>
      <span
        id={id}
        role="tooltip"
        className="definition"
        hidden={place === null}
        style={place === null ? undefined : { ...place, maxWidth: width }}
      >
        {column.definition}
      </span>
    </th>
  )
}

/** Pixels. A higher definition than this is rare. */
const [width, height] = [280, 110]
