// Reads the Arrow files and streams that are named and prints of each, as a line
// of JSON, what it holds as this implementation understands it.
import { readFileSync } from "node:fs";
import { compressionRegistry, CompressionType, tableFromIPC } from "apache-arrow";
import { decompress as unzstd } from "fzstd";
import lz4 from "lz4js";

// The package leaves the codecs to its users.
compressionRegistry.set(CompressionType.ZSTD, { decode: (data) => unzstd(data).slice() });
compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (data) => Uint8Array.from(lz4.decompress(data)) });

for (const path of process.argv.slice(2)) {
  const table = tableFromIPC(readFileSync(path));
  const sum = { rows: table.numRows, batches: table.batches.length, columns: table.schema.fields.map((f) => f.name), rewards: 0, unrewarded: 0, content: 0, calls: [], statuses: {}, markers: 0, extra: [] };
  for (const row of table) {
    if (row.reward === null) sum.unrewarded++;
    else sum.rewards += row.reward;
    for (const m of row.messages ?? []) {
      sum.content += m.content === null ? 0 : Buffer.byteLength(m.content);
      for (const c of m.tool_calls ?? []) sum.calls.push(`${c.id} ${c.function.name} ${c.function.arguments}`);
    }
    if (row.judge_status !== null) sum.statuses[row.judge_status] = (sum.statuses[row.judge_status] ?? 0) + 1;
    for (const m of row.markers ?? []) sum.markers += m.value ?? 0;
    if (row.extra !== null) sum.extra.push(row.extra);
  }
  console.log(JSON.stringify(sum));
}
