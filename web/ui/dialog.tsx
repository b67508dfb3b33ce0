import { useEffect, useRef, useState, type ReactNode } from 'react'
import { addOpenDialog } from '../lib/open-dialogs.ts'
import { Button } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { useIsHidden } from './kept-page.tsx'
import './dialog.css'

interface DialogProps {
  /** The id of the heading that names the dialog. */
  readonly labelledBy: string
  /** `drawer` rises from the bottom of the window, as wide as the window. */
  readonly width?: 'narrow' | 'confirm' | 'wide' | 'drawer'
  /**
   * Called on Escape, on the close button and on a press beside the dialog. If a field of the
   * dialog is filled, a press beside it does nothing.
   */
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog with the browser's `dialog` element. The browser keeps the focus inside, makes the
 * page inert and closes on Escape. Render the dialog only while it is open; each opening has new
 * state.
 */
export function Dialog({ labelledBy, width = 'narrow', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const [opener] = useState(() => document.activeElement)
  const isHidden = useIsHidden()

  useEffect(() => {
    const dialog = ref.current
    if (isHidden) return undefined
    dialog?.showModal()
    const remove = dialog ? addOpenDialog(dialog) : () => undefined
    return () => {
      remove()
      dialog?.close()
      // React removes the element before the browser can restore the focus. The row of the opener
      // may have left its list meanwhile.
      if (opener?.isConnected === false) document.getElementById('main')?.focus()
      else if (opener instanceof HTMLElement) opener.focus()
    }
  }, [opener, isHidden])

  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${width}`}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // A second Escape closes the dialog although `cancel` is prevented. After the cleanup
        // above, `ref.current` is null.
        if (ref.current && !ref.current.open && !isHidden) onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current && !hasFilledField(ref.current)) onClose()
      }}
    >
      <div className="dialog-content">{children}</div>
      {/* The close button is last, so that the first field gets the initial focus. It does not
          scroll with the content. */}
      <Button look="quiet" size="sm" className="dialog-close" aria-label="Close" onClick={onClose}>
        <CloseIcon />
      </Button>
    </dialog>
  )
}

/** A checkbox alone is set again at once, so it does not count. */
function hasFilledField(dialog: HTMLDialogElement): boolean {
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    'input:not([type=checkbox], [type=radio]), select, textarea',
  )
  return [...fields].some(({ value }) => value !== '')
}
