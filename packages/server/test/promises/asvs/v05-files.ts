import { source, test, web } from '../proof.ts'
import { level1, level2, met, notApplicable, type Chapter } from './requirement.ts'

export const files: Chapter = {
  id: 'V5',
  name: 'File handling',
  requirements: {
    '5.1.1': level2(
      'Kinds and sizes of files are documented',
      met(
        'Imports are the only files. They are read in the browser or by the command line; the server gets records.',
        'docs/import-export.md#how-an-import-works',
        'docs/import-export.md#sources',
      ),
    ),
    '5.2.1': level1(
      'Files are limited in size',
      met(
        'Bodies of requests, files, lines and archives.',
        test('registry.bodies.test.ts', 'rejects a body that is larger than its limit'),
        test(
          'transfer/source-files.test.ts',
          'has no line that is longer than any real one, and long ones take linear time',
        ),
      ),
    ),
    '5.2.2': level1(
      'The content of a file is what its name says',
      met(
        'A file must be readable as its format, or it is left out and counted. An export also has digests.',
        web('pages/transfer/zip.test.ts', 'rejects files that are damaged, cut off, or not zip files'),
        test(
          'transfer/damaged-exports.test.ts',
          'loses only the invalid lines',
          'is rejected without a valid manifest',
        ),
      ),
    ),
    '5.2.3': level2(
      'Archives are checked before they are unpacked',
      met(
        'By what they claim, and while unpacking by what they contain.',
        test(
          'transfer/source-files.test.ts',
          'is rejected if it is a zip bomb, or damaged',
          'is not read to the end if it claims a smaller size than it unpacks to',
        ),
        web('pages/transfer/zip.test.ts', 'rejects zip bombs, by what they claim and by what they contain'),
      ),
    ),
    '5.3.1': level1('Uploaded files are not executed', notApplicable('The server stores no uploaded files.')),
    '5.3.2': level1(
      'Paths aren’t made from input',
      met(
        'Names in archives can’t lead out of them, exports make safe names from titles, and backups are named by the server.',
        test('transfer/source-files.test.ts', 'is never outside of it'),
        web(
          'pages/transfer/zip.test.ts',
          'rejects names that lead out of the folder, encrypted files and two files of one name',
        ),
        source('api/web.test.ts', 'include only files of the build'),
      ),
    ),
    '5.4.1': level2(
      'Downloads get their name from the server',
      notApplicable('The server sends no files to download; the browser writes exports.'),
    ),
    '5.4.2': level2('Names of files in headers are encoded', notApplicable('No header contains the name of a file.')),
    '5.4.3': level2(
      'Files are scanned for viruses',
      notApplicable('No file of a user is stored or served; an import keeps texts.'),
    ),
  },
}
