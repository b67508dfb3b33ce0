import { Link } from 'react-router-dom'
import { buttonClass } from '../../../ui/button.tsx'
import { UploadIcon } from '../../../ui/table-icons.tsx'
import { importPath } from './paths.ts'

export function ImportLink() {
  return (
    <Link className={buttonClass({ look: 'line' })} to={importPath}>
      <UploadIcon />
      Import
    </Link>
  )
}
