-- Lists that were never complete, or too long ago. The freshness of a source looks at the newest list only.
select list.account, list.collection, run.ended_at as complete_at
from {{ source('deedkit', 'sync_list') }} as list
left join {{ source('deedkit', 'sync_run') }} as run on run.run = list.complete_run
where
    run.ended_at is null
    or run.ended_at < now() - interval '{{ var("deedkit_max_age_hours") }} hours'
