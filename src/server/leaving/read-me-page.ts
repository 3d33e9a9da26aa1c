import { frenchNumber } from '../../domain/french-number.ts'
import { archiveTables } from './archive-tables.ts'

type Told = { library: string; made: string; rows: ReadonlyMap<string, number> }

/** The page of the archive that says what each file and each column is. */
export function readMePage({ library, made, rows }: Told): string {
  const count = (file: string) => frenchNumber(rows.get(file) ?? 0)
  const tables = archiveTables.map(({ file, about, columns }) =>
    [
      `<h2 id="${file}">${file}</h2>`,
      `<p>${escaped(about)} ${count(file)} lignes.</p>`,
      '<table><thead><tr><th>Colonne</th><th>Ce qu’elle dit</th></tr></thead><tbody>',
      ...columns.map(({ title, about }) => `<tr><td>${escaped(title)}</td><td>${escaped(about)}</td></tr>`),
      '</tbody></table>',
    ].join('\n'),
  )
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(library)}\u202f: archive du ${made}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #211f1b; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd6ca; }
td:first-child { width: 16rem; font-weight: 600; }
</style>
</head>
<body>
<h1>${escaped(library)}\u202f: tout ce que contient Comptoir</h1>
<p>Archive faite le ${made}. Elle contient des données personnelles\u202f: gardez-la en lieu sûr, et détruisez-la quand elle ne sert plus.</p>
<p>Tout autre logiciel de bibliothèque peut la lire, sans Comptoir\u202f: les notices sont en UNIMARC, le reste en tableaux.</p>
<h2>Comment lire ces fichiers</h2>
<ul>
<li>Les fichiers <b>.csv</b> s’ouvrent dans un tableur\u202f: UTF-8, colonnes séparées par des points-virgules, noms des colonnes sur la première ligne.</li>
<li>Les jours sont écrits AAAA-MM-JJ, les instants en temps universel, les montants avec un point. Une apostrophe est ajoutée devant un texte que le tableur prendrait pour une formule.</li>
<li>Les lignes se désignent par leur numéro\u202f: celui d’un lecteur, dans prets.csv, est le «\u00a0Numéro\u00a0» de lecteurs.csv. Les colonnes «\u00a0pour la lecture\u00a0» le redisent en clair.</li>
<li>Pour reprendre le tout dans une installation neuve de Comptoir\u202f: <code>npm run import CETTE-ARCHIVE.zip</code>.</li>
</ul>
<h2>Les autres fichiers</h2>
<table><thead><tr><th>Fichier</th><th>Ce qu’il contient</th></tr></thead><tbody>
<tr><td>notices.mrc</td><td>Les ${count('notices.mrc')} références en UNIMARC (ISO 2709, UTF-8), chacune sous son numéro (001), avec ses exemplaires en 995\u202f: $b et $c site, $e emplacement, $f code-barres, $k cote, $o disponibilité, $q public, $r type, $u état, $5 achat. Une notice de plus de 99\u202f999 octets n’a que ses premiers exemplaires\u202f; exemplaires.csv les a tous.</td></tr>
<tr><td>images/</td><td>L’image de chaque référence qui en a une, au format WebP, sous le numéro de la référence.</td></tr>
<tr><td>conditions/</td><td>Les conditions de prêt remises aux lecteurs, en PDF.</td></tr>
<tr><td>archive.json</td><td>Pour les machines\u202f: combien chaque fichier a de lignes, et son empreinte (SHA-256).</td></tr>
</tbody></table>
<p>N’y sont pas\u202f: les mots de passe et secrets, les sessions et appareils, les courriels envoyés, le journal des changements et les actes qui s’annulent, les inventaires (ce qu’ils ont changé est dans les exemplaires), les étiquettes qui restent à imprimer, les vues des listes.</p>
${tables.join('\n')}
</body>
</html>
`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!)
