import { useId, useRef, useState } from 'react'
import { largestLogo, type BrandResponse } from '#contracts/receivables/brand'
import { Button } from '../../../ui/button.tsx'
import type { BrandDraft, ChosenLogo } from './brand-draft.ts'

const types = ['image/png', 'image/jpeg', 'image/webp']

interface LogoFieldProps {
  readonly saved: BrandResponse['logo']
  readonly value: BrandDraft['logo']
  /** Of the server: the file is damaged, for example. */
  readonly error: string | undefined
  readonly readOnly: boolean
  readonly onChange: (logo: BrandDraft['logo']) => void
}

/** The image as it is, and the file that replaces it. */
export function LogoField({ saved, value, error, readOnly, onChange }: LogoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const shown = value === 'keep' ? saved?.url : value === 'remove' ? undefined : value.url
  const problem = refused ?? error

  async function choose(file: File | undefined): Promise<void> {
    if (file === undefined) return
    if (!types.includes(file.type)) return setRefused('Choose a PNG, JPEG or WebP file.')
    if (file.size > largestLogo)
      return setRefused('The logo has 512 kB at most. Choose a smaller file.')
    setRefused(null)
    onChange({ name: file.name, bytes: file.size, url: await dataUrlOf(file) })
  }

  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <div className="field-head">
        <span className="brand-label" id={`${id}-label`}>
          Logo
        </span>
        <span className="field-optional">Optional</span>
      </div>
      <div className="brand-logo">
        <span className="brand-logo-box">
          {shown !== undefined && <img src={shown} alt="Your logo" />}
        </span>
        <span className="brand-logo-file">
          {typeof value === 'object'
            ? chosenInWords(value)
            : saved === null || value === 'remove'
              ? 'None'
              : `${saved.width} × ${saved.height} pixels`}
          <br />
          PNG, JPEG or WebP to 512 kB
        </span>
        {!readOnly && (
          <span className="brand-logo-acts">
            <Button look="line" size="sm" onClick={() => input.current?.click()}>
              {shown === undefined ? 'Choose a file' : 'Replace'}
            </Button>
            {shown !== undefined && (
              <Button
                look="quiet"
                size="sm"
                onClick={() => onChange(saved === null ? 'keep' : 'remove')}
              >
                Remove
              </Button>
            )}
          </span>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label="File of the logo"
          accept={types.join(',')}
          onChange={(event) => {
            void choose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function chosenInWords({ name, bytes }: ChosenLogo): string {
  return `${name}, ${Math.max(1, Math.round(bytes / 1024))} kB`
}

async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return `data:${file.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
