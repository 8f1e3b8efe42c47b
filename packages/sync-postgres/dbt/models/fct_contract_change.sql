select
    change.account || '/' || change.id || '/' || change.version as contract_key,
    change.account,
    change.id as contract_id,
    change.version,
    change.change,
    change.members,
    change.seen_at,
    -- a run that was pruned has no row any more
    coalesce(run.night, (change.seen_at at time zone 'UTC')::date) as night
from {{ source('deedkit', 'changes') }} as change
left join {{ source('deedkit', 'sync_run') }} as run on run.run = change.run
where change.collection = 'contracts'
