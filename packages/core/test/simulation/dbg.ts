import { models, levels } from "/work/main/packages/core/test/simulation/models.ts"
import { ChangingList } from "/work/main/packages/core/test/simulation/ChangingList.ts"
import * as PropertyClient from "/work/main/packages/core/src/PropertyClient.ts"
import { Transport } from "/work/main/packages/core/src/Transport.ts"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
const name = process.argv[2]!, level = process.argv[3]!, seed = Number(process.argv[4])
const list = new ChangingList(seed*7919, models[name]!, levels[level]!)
let n=0
const p = Effect.gen(function*(){
 const c = yield* PropertyClient.make({baseUrl:"http://localhost",apiKey:"simulated-1-key",rate:0,policy:{attempts:1}})
 yield* Stream.runForEach(c.contracts.pages({limit:13, prove:true}), (page)=>Effect.sync(()=>{ if(page.summary.pages%50===0||n>0) console.log(page.summary.pages, page.records.length, JSON.stringify(page.summary.completeness), page.summary.cursorMeaning, page.summary.order, page.summary.complete)}))
})
await Effect.runPromise(Effect.provideService(p, Transport, async (r,c)=>{ if(++n<140) console.log(r.url); if(n>5000) process.exit(1); return list.send(r,c)}) as any).catch(e=>console.log(String(e)))
