import { compressFiles } from './compress-files.mjs'

// Compresses the files of the built web: `compress-web.mjs <web>`. A separate process, because the
// encoders take 120 MB, which the threads of `npm start` would keep after its first build.
const [web] = process.argv.slice(2)
await compressFiles(web)
