/** The address on this schema: its search path stands last in `options`, where PostgreSQL takes it. */
export function addressOnSchema(address: string, schema: string): string {
  const url = new URL(address)
  const options = [...url.searchParams.getAll('options'), `-c search_path=${schema},public`]
  url.searchParams.set('options', options.join(' ').trim())
  return url.href
}
