select
    change.account || '/' || change.id || '/' || change.version as contract_key,
    change.account,
    change.id as contract_id,
    change.version,
    change.change,
    change.members,
    change.seen_at,
    run.night
from {{ source('deedkit', 'changes') }} as change
left join {{ source('deedkit', 'sync_run') }} as run on run.run = change.run
where change.collection = 'contracts'
