import type { CSSProperties, ReactNode } from 'react'
import { usePaint } from './mail-brand.ts'
import type { Paint, Painted } from './paint.ts'

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
      {...groundOf(painted)}
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
      {...groundOf(painted)}
      colSpan={span}
      className={names(className, painted.className)}
      style={{ ...painted.style, ...style }}
    />
  )
}

/** The ground as an attribute, too: programs that drop styles still show text on its ground. */
function groundOf({ style }: Painted): { readonly bgcolor?: string } {
  return style.backgroundColor === undefined ? {} : { bgcolor: style.backgroundColor }
}

function names(...classes: readonly (string | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(' ') || undefined
}
