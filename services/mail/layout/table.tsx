import type { CSSProperties, ReactNode } from 'react'
import { usePaint } from './mail-brand.ts'
import type { Paint } from './paint.ts'

/*
 * Mail programs, Outlook's first, lay out only tables reliably. A table that only lays out has
 * role=presentation, so that a screen reader reads its text alone.
 */

interface TableProps {
  readonly children: ReactNode
  readonly width?: number | string
  readonly className?: string
  readonly colors?: Paint
  readonly style?: CSSProperties
}

export function Table({ children, width = '100%', className, colors = {}, style }: TableProps) {
  const painted = usePaint()(colors)
  return (
    <table
      role="presentation"
      width={width}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className={names(className, painted.className)}
      style={{ ...painted.style, ...style }}
    >
      <tbody>{children}</tbody>
    </table>
  )
}

interface CellProps {
  readonly children?: ReactNode
  readonly align?: 'left' | 'right' | 'center'
  readonly width?: number | string
  readonly height?: number
  readonly span?: number
  readonly className?: string
  readonly colors?: Paint
  readonly style?: CSSProperties
}

export function Cell({ span, className, colors = {}, style, ...props }: CellProps) {
  const painted = usePaint()(colors)
  return (
    <td
      {...props}
      colSpan={span}
      className={names(className, painted.className)}
      style={{ ...painted.style, ...style }}
    />
  )
}

function names(...classes: readonly (string | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(' ') || undefined
}
