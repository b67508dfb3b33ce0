import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import './menu.css'

interface MenuProps {
  /** The accessible name of the menu. */
  readonly label: string
  readonly button: {
    readonly label: string
    readonly className: string
    readonly content: ReactNode
  }
  /** Shown above the items. */
  readonly head?: ReactNode
  /** The items: elements with the role `menuitem` or `menuitemradio`. `close` closes the menu. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a menu below it. Closes with Escape, Tab and a press elsewhere. */
export function Menu({ label, button, head, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const [first] = itemsOf(root.current)
    const chosen = root.current?.querySelector<HTMLElement>('[role=menu] > [aria-checked=true]')
    const start = chosen ?? first
    start?.focus()
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [open])

  function closeToButton() {
    setOpen(false)
    opener.current?.focus()
  }

  return (
    <div className="menu" ref={root}>
      <button
        ref={opener}
        type="button"
        className={button.className}
        aria-label={button.label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {button.content}
      </button>
      {open && (
        <div className="menu-panel">
          {head}
          <div
            role="menu"
            tabIndex={-1}
            aria-label={label}
            onKeyDown={(event) => moveOrClose(event, closeToButton)}
          >
            {children(() => setOpen(false))}
          </div>
        </div>
      )}
    </div>
  )
}

const itemsOf = (root: HTMLElement | null) => [
  ...(root?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
]

function moveOrClose(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  }[event.key]
  if (next !== undefined) {
    event.preventDefault()
    items.at(next % items.length)?.focus()
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    close()
  }
}
