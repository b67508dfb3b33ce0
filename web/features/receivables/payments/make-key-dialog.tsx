import { useEffect, useId, useRef, useState } from 'react'
import { makeApiKeyRequest } from '#contracts/receivables/api-keys'
import { useMakeApiKeyMutation } from '../../../api/api-keys-api.ts'
import { browser } from '../../../lib/browser.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useSending } from '../acts/use-sending.ts'

/** Names a key, then shows it: once, because the product stores its hash only. */
export function MakeKeyDialog({ onClose }: { onClose: () => void }) {
  const titleId = useId()
  const [makeKey] = useMakeApiKeyMutation()
  const { busy, problem, send } = useSending<{ readonly key: string }>()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [made, setMade] = useState<string | null>(null)

  function make(): void {
    const body = makeApiKeyRequest.safeParse({ name })
    if (!body.success) {
      setError(name.trim() === '' ? 'Enter a name.' : 'A name has 60 characters at most.')
      return
    }
    void send(
      (key) => makeKey({ key, body: body.data }),
      ({ key }) => setMade(key),
    )
  }

  return (
    // A press beside the dialog does not lose the key: its field is filled.
    <Dialog labelledBy={titleId} width="confirm" onClose={onClose}>
      {made === null ? (
        <form
          className="confirm make-key"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) make()
          }}
        >
          <h2 id={titleId}>Make a key</h2>
          <ErrorBox text={problem} />
          <TextField
            label="Name of the program"
            value={name}
            error={error}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value)
              setError(undefined)
            }}
          />
          <div className="confirm-actions">
            <Button look="line" size="md" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="md" busy={busy}>
              Make the key
            </Button>
          </div>
        </form>
      ) : (
        <MadeKey name={name.trim()} madeKey={made} titleId={titleId} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface MadeKeyProps {
  readonly name: string
  readonly madeKey: string
  readonly titleId: string
  readonly onClose: () => void
}

function MadeKey({ name, madeKey, titleId, onClose }: MadeKeyProps) {
  const field = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  useEffect(() => field.current?.focus(), [])

  async function copy(): Promise<void> {
    if (await browser.copyText(madeKey)) {
      setNote('Copied.')
      return
    }
    field.current?.select()
    setNote('The browser does not copy it. It is selected: copy it by hand.')
  }

  return (
    <div className="confirm make-key">
      <h2 id={titleId}>The key of {name}</h2>
      <div className="confirm-text">
        <p>Copy it now: it is shown this once. A program with it can add and change invoices.</p>
      </div>
      <div className="made-key">
        <input
          ref={field}
          className="input mono"
          aria-label="Key"
          readOnly
          value={madeKey}
          onFocus={(event) => event.target.select()}
        />
        <Button look="line" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p className="made-key-note" role="status">
        {note}
      </p>
      <div className="confirm-actions">
        <Button size="md" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
