import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import './dialog.css'

interface DialogProps {
  /** The id of the heading inside, which names the dialog. */
  readonly labelledBy: string
  readonly width?: 'narrow' | 'wide'
  /** Escape, the cross, and a press beside the dialog. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog by the browser's own element: it holds the focus, makes the page behind inert and
 * closes on Escape. Render it while it is open; its content starts fresh every time.
 */
export function Dialog({ labelledBy, width = 'narrow', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const [opener] = useState(() => document.activeElement)

  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      // The element is gone before the browser can give the focus back itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [opener])

  return (
    <dialog
      ref={ref}
      className={`dialog ${width === 'wide' ? 'dialog-wide' : ''}`}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // A second Escape closes without asking first; our own closing above finds the element gone.
        if (ref.current && !ref.current.open) onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div className="dialog-content">
        {children}
        {/* Last, so that the first field and not the cross has the focus at the start. */}
        <Button
          look="quiet"
          size="sm"
          className="dialog-close"
          aria-label="Close"
          onClick={onClose}
        >
          <CloseIcon />
        </Button>
      </div>
    </dialog>
  )
}
