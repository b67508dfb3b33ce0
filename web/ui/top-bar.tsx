import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import './top-bar.css'

interface TopBarProps {
  readonly width?: 'product' | 'admin' | 'audit'
  /** The name of the area, beside the logo. */
  readonly label?: string
  /** The links of an area with several pages. */
  readonly nav?: ReactNode
  /** The content at the right end. */
  readonly children?: ReactNode
}

/** The low header of the product pages. */
export function TopBar({ width = 'product', label, nav, children }: TopBarProps) {
  return (
    <header className={`top-bar top-bar-${width}`}>
      <div>
        <Logo />
        {label !== undefined && <span className="label">{label}</span>}
        {nav}
        <div className="top-bar-actions">{children}</div>
      </div>
    </header>
  )
}
